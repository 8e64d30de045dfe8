"""How fast this engine is, beside CTranslate2 and beside the machine's own limits."""

"""CTranslate2 directories, and the Argos packages of LibreTranslate that have one inside."""

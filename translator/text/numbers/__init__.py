"""The numbers of a text: read as quantities, compared with those of a translation, written anew."""

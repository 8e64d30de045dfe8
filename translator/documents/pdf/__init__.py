"""PDF: text is read with its place on the page, and its translation is set in the same place.

`reading` finds runs of text (by PDFium), `blocks` joins them to lines and paragraphs, `setting`
fits a translation into the room of a paragraph, `typefaces` has the letters and puts them into the
file, and `writing` changes a page (by pikepdf). `labels` are texts beside the pages.
"""

"""The numbers of the reader and the writer of PDF that were chosen by hand, each with its reason.

Most are in units of the size of the letters. Others say so: points, characters, or a count.
"""

# From letters to words, and from words to lines
SAME_LINE = 0.25  # heights that differ less are one line
SPACE = 0.12  # a wider gap is a space; the narrowest of common fonts is 0.2
TRACED, FEWEST_TRACED = 0.15, 3  # between a letter and its outline; and count, in a paragraph
MOST_TOLD = 1.6  # share: text that a file tells is not so much wider than what is shown
WIDER = 1.1  # share: a gap without a space that is as wide as those with one is a space
NEW_CELL = 0.95  # a wider gap parts cells; in justified text few are wider
NARROW_CELL = 0.33  # the same where the file shows its spaces, and none is there
LETTER_CELL = 0.6  # the same where letters come one by one, as before a sign
WIDEST_SET = 0.3  # letters farther apart are no longer one word
FEWEST_GAPS = 3  # so many tell how far apart letters are set
WIDEST_SPACE = 3.0  # in a justified line
FEWEST_SPACES = 3  # so many tell that a page shows them
CELL_GAP, MUCH_WIDER = 1.5, 3.0  # inside one string: as wide, and so much more than other gaps
LEAST_OTHER = 0.1  # share: words of a size that differs more keep it
TITLE = 1.3  # share: a line in larger letters is no part of a column
SMALLEST, FARTHEST = 0.5, 1e6  # points: what lies beyond nobody sees
HEIGHT, MIDDLE, DEPTH = 0.8, 0.3, 0.25  # of letters: their top and middle above, and below the line

TWO_LINES = 2.5  # from a line to the next but one

# From lines to paragraphs, lists and tables
PITCH, USUAL_PITCH = (0.5, 2.8), 1.2  # from line to line of one paragraph: at all; usually
OTHER_SIZE = 0.2  # share: a line whose letters differ more is no part of a paragraph
COLUMN_TOPS = 2  # count: of first texts of a column; one may be a running head or a caption
MOST_NEAR = 3  # count: of the paragraphs above that a line may belong to
SHORT_CELL = 30  # characters: a longer line may be prose
ROW_GAP = 1.2  # share of a step: a wider one is between rows, not between lines of cells
LIST = 0.3  # share: of lines in a column that end so early, more are rows
MANY_LINES = 5  # count: so many above and below tell where the lines of a column end
BY_HAND = 3.0  # from a word that had fitted to the end of its column: the line was broken by hand
FARTHEST_NEXT = 4.0  # from a line to the next that is looked at
LIKELY, LIKELY_TOLD = 0.0, -3.0  # log odds that a line goes on below; where the file tells so
LIKELY_ANEW = 1.0  # the same of a short line and no small letter: rows should not be joined
ITEM_LESS_LIKELY = 4.0  # log odds that a line loses which begins as an item of a list does
BELOW = 0.6  # how far an underline may go on below a space
ALIGNED = 0.3  # middles and ends that are one
FLUSH, EVEN = 0.15, 0.4  # ends that are one, of justified lines; of an underline and its words
AT_ONE_PLACE = 0.1  # ends that are one where cells begin
SAME_COLUMN = 1.5  # between the left ends of its lines
MOST_ABOVE = 60  # count: paragraphs that a line may belong to
LONG_LINE = 30  # a line as long is no heading
SAME_TEXT = 10.0  # from line to line of one column
FEWEST_ROWS = 3  # count: so many tell where a column begins
LONGEST_BEHIND = 20  # characters after a leader: the number of a page, a price
WIDEST_DOT, FARTHEST_DOT = 0.5, 3.0  # bullets that are drawn, and how far before their line
DOT_RISES = -0.1, 0.7  # how far above the line such bullets are

# Rules, cells and fields
THIN = 2.0  # points: what is thicker has sides
SHORTEST = 6.0  # points: sides of cells
NEAR = 1.0  # points: from text to a side that it may touch
HIGHEST_TICK, WIDEST_TICK = 20.0, 1.5  # fields to tick: points; share of the height
HIGHEST_FIELD, LEAST_EMPTY = 3.0, 0.95  # frames around what is filled in

# Raised signs, shadows and looks
OVERLAP = 0.2  # of two letters of a formula that are one sign
LARGEST_SIGN, LONGEST_SIGN = 0.87, 8  # share of the size of its word; characters
RISES, FALLS = (0.15, 0.7), (-0.55, -0.08)  # of signs
NEXT_TO, FARTHEST_SIGN = 0.3, 30.0  # from a word to its sign: of the size, and in points
TOUCHES = 0.05  # what is one string; widths that are one
MOST_SIGNS = 500  # count: of a page
SMALL_CAPITALS = 0.7  # share: as browsers make them of lower case
SHADOW = 0.15  # from letters to their shadow
LEAST_SLANT = 0.1  # tangent of an angle that makes letters italic
LEVEL = 1e-3  # sine of an angle that counts as none; such a length
COMPARED = 4  # count: letters that tell whether a font's widths are wrong
MOST_OVERHANG = 0.22  # of a letter over the room that its font gives it
MOST_BOXES = 5_000  # count: of a page; more are a picture
MOST_COVERS = 300  # count: drawings of a page that may cover text (the last) or others (the first)
MOST_CODES = 512  # count: that a font names its letters by, or begins anew at
MOST_LINKS = 1_000  # count: of a page; more are a picture of dots

# Setting a translation
WIDTHS = 1.0, 0.97, 0.94, 0.91, 0.88, 0.85  # shares: letters become narrower, and then smaller
STEP, LEAST_SHARE = 0.97, 0.5  # shares: letters become smaller by this, and keep that
NARROWEST = 0.85  # share of the width of a face: letters of narrow fonts are set as narrow
LEAST_SHARED = 0.75  # share: what needs less does not make others of its style smaller
OUTLIERS = 0.1  # share: so many of a style may be smaller than the others
FEWEST_BROKEN = 3  # characters of a word before and after the hyphen that breaks it
CLOSEST = 1.08  # from line to line where there is little room
FOOT = 36.0  # points: of a page, where no text goes
BESIDE = 0.5  # to a neighbour at the right
BEFORE_LEADER, SPACED_LEADER = 0.25, 1.5  # of the size; of the width of its dots alone
THICKEST, LOWEST = 0.2, 0.35  # underlines (a pen counts twice), and how far below the line they are
THROUGH = 0.15, 0.45  # how far above the line are those through words
LONGEST_BADGE = 30  # characters in a box inside a line, which moves with them
CLOSE_SIDES, CLOSE_TOP = (-0.1, 1.0), 2.0  # of such a box: beyond the words, and above their line
UNDERLINE, WEIGHT, STRUCK = 0.15, 0.06, 0.25  # where new lines are drawn, and how thick
SAME_PLACE = 1.5  # points: what is drawn at a place that was read

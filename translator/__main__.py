"""`python -m translator`: see `translator.cli`."""

import sys

from translator.cli import main

sys.exit(main())

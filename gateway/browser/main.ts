// The script of all pages, which work without it. It has no texts: those are in the page.
import './ask.js'
import './compare.js'
import './copy.js'
import './live.js'
import './mentions.js'
import './presentation.js'
import './search-picture.js'
import './times.js'

import { join } from 'node:path'
import { requireCorpus } from './corpus.js'
import { measurePictureSpeed } from './measure-picture-speed.js'
import { measurePictures } from './measure-pictures.js'
import { printPictures } from './print-pictures.js'

// For tuning: how well distorted pictures of one half of the corpus are found, and the speed of each step.
// `node test/dist/bench/search-quality/pictures.js [tuned|reported]`
const half = process.argv[2] === 'tuned' ? 'tuned' : 'reported'
printPictures(await measurePictures(join(requireCorpus(), 'figures'), half))
const speed = await measurePictureSpeed()
console.log(
  `candidates among ${speed.pictures}: ${speed.candidatesMs.toFixed(1)} ms, 50 compared: ` +
    `${speed.compare50Ms.toFixed(1)} ms, described: ${speed.describeMs.toFixed(1)} ms`,
)

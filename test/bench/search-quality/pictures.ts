import { fileURLToPath } from 'node:url'
import { measurePictureSpeed } from './measure-picture-speed.js'
import { measurePictures, type PictureFigures } from './measure-pictures.js'

// Prints how well distorted pictures are found: `node test/dist/bench/search-quality/pictures.js [tuned|reported]`.
const corpus = fileURLToPath(new URL('../../../../../shared/corpus/figures', import.meta.url))

print(await measurePictures(corpus, process.argv[2] === 'tuned' ? 'tuned' : 'reported'))
const speed = await measurePictureSpeed()
console.log(
  `candidates among ${speed.pictures}: ${speed.candidatesMs.toFixed(1)} ms, 50 compared: ` +
    `${speed.compare50Ms.toFixed(1)} ms, described: ${speed.describeMs.toFixed(1)} ms`,
)

function print({ queries, pictures, sameFrom, distortions, ...pairs }: PictureFigures) {
  console.log(`${queries} queries among ${pictures} pictures, the same from ${sameFrom}`)
  console.log('recall@1  same  median  other  distortion')
  for (const { name, recallAt1, sameOwn, medianOwn, highestOther, misses } of distortions) {
    const numbers = [recallAt1, sameOwn, medianOwn, highestOther].map((each) => each.toFixed(3))
    console.log(`${numbers.join('    ')}  ${name}`)
    for (const miss of misses) console.log(`    missed ${miss}`)
  }
  console.log(`false same: ${pairs.falseSame.length}`)
  for (const pair of pairs.falseSame) console.log(`    ${pair}`)
  console.log(`nearly identical: ${pairs.nearlyIdentical.length}`)
  for (const pair of pairs.nearlyIdentical) console.log(`    ${pair}`)
  console.log(`the same drawing on another background or grid: ${pairs.sameDrawing.length}`)
  for (const pair of pairs.sameDrawing) console.log(`    ${pair}`)
}

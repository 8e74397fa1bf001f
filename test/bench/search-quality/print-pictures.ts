import { table } from '../report.js'
import type { PictureFigures } from './measure-pictures.js'

/** Prints how well distorted pictures are found. */
export function printPictures(figures: PictureFigures): void {
  const { half, queries, pictures, sameFrom, distortions, ...pairs } = figures
  const part = half === 'tuned' ? 'tuned on' : 'reported'
  console.log(
    `image (${part}, ${queries} queries of each distortion among ${pictures} pictures), the same from ${sameFrom}:`,
  )
  const head = ['distortion', 'recall@1', 'same', 'median score', 'highest other']
  const rows = distortions.map(({ name, recallAt1, sameOwn, medianOwn, highestOther }) => [
    name,
    ...[recallAt1, sameOwn, medianOwn, highestOther].map((number) => number.toFixed(3)),
  ])
  console.log(table([head, ...rows]))
  for (const { name, misses } of distortions)
    for (const miss of misses) console.log(`  missed, ${name}: ${miss}`)
  const least = Math.min(...distortions.map(({ recallAt1 }) => recallAt1))
  console.log(`image: least recall@1 ${least.toFixed(3)}, false same: ${pairs.falseSame.length}`)
  list('false same', pairs.falseSame)
  list('nearly identical', pairs.nearlyIdentical)
  list('the same drawing on another background or grid', pairs.sameDrawing)
}

function list(title: string, pairs: string[]) {
  for (const pair of pairs) console.log(`  ${title}: ${pair}`)
}

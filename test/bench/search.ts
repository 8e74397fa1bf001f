import { join } from 'node:path'
import { createDatabase } from './database.js'
import type { Options } from './options.js'
import { startProduct } from './product.js'
import { requireCorpus } from './search-quality/corpus.js'
import { type KeywordQuality, measureKeyword } from './search-quality/keyword.js'
import { measurePictures, type PictureFigures } from './search-quality/measure-pictures.js'
import { printPictures } from './search-quality/print-pictures.js'
import { measureSemantic, type SemanticQuality } from './search-quality/semantic.js'
import { printSearchSpeed } from './search-speed/print.js'
import {
  measureSearchSpeed,
  type SearchSpeedReport,
  speedSizes,
} from './search-speed/search-speed.js'
import type { Progress } from './topology.js'

export type SearchReport = {
  quality?: { keyword: KeywordQuality; semantic?: SemanticQuality; pictures?: PictureFigures }
  speed?: SearchSpeedReport
}

type SearchOptions = Pick<Options, 'searchSpeed' | 'searchQuality' | 'quick' | 'objects'>

/** Fills and prints the report incrementally, so that a late failure loses no results. */
export async function measureSearch(
  report: SearchReport,
  options: SearchOptions,
  scratch: string,
  progress: Progress,
): Promise<void> {
  if (options.searchQuality) await measureQuality(report, options.quick, scratch, progress)
  if (options.searchSpeed) {
    const size = options.quick ? speedSizes.quick : speedSizes.full
    const revisions = options.objects ?? size.revisions
    report.speed = await measureSearchSpeed({ ...size, revisions }, scratch, progress)
    printSearchSpeed(report.speed)
  }
}

/** `quick`: fewer figures and distortions. */
async function measureQuality(
  report: SearchReport,
  quick: boolean,
  scratch: string,
  progress: Progress,
) {
  const corpus = requireCorpus()
  {
    await using product = await startProduct('all-in-one', join(scratch, 'search-quality'))
    report.quality = { keyword: await measureKeyword(await createDatabase(product, 'quality')) }
  }
  const part = quick ? 'a part' : 'all'
  report.quality.semantic = await progress(`semantic quality, ${part} of the corpus`, () =>
    measureSemantic({ quick }),
  )
  report.quality.pictures = await progress(`image quality, ${part} of the distortions`, () =>
    measurePictures(join(corpus, 'figures'), 'reported', quick),
  )
  printPictures(report.quality.pictures)
}

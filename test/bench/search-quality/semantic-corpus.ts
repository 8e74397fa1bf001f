import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOcrPool } from '@figbase/search/semantic'
import { requireCorpus } from './corpus.js'

/** A figure of the corpus. Only the description knows its name and description; the rest is to be indexed. */
export type CorpusFigure = { description: string; code: string; drawing: string; ocr: string }

type Entry = { description: string; image: string; vector: string | null; code: string | null }

const cache = join(tmpdir(), 'figbase-search-quality-ocr')
const ocrOptions = {
  ocrConcurrency: 1,
  ocrTimeoutMs: 60_000,
  ocrMemoryBytesMax: 2 ** 30,
  ocrSourcePixelsMax: 100_000_000,
  ocrPixelsMax: 4_000_000,
  ocrConfidenceMin: 60,
  ocrTextCharsMax: 20_000,
}

/** The first figures with a description. The text in their pictures is recognized once and then cached. */
export async function readSemanticCorpus(
  countMax = Number.POSITIVE_INFINITY,
): Promise<CorpusFigure[]> {
  const folder = requireCorpus()
  const entries: Entry[] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  await using ocr = createOcrPool(ocrOptions)
  const textIn = async (path: string | null) => (path ? readFile(join(folder, path), 'utf8') : '')
  const figures: CorpusFigure[] = []
  const described = entries.filter((each) => each.description).slice(0, countMax)
  for (const { description, image, vector, code } of described) {
    const picture = await readFile(join(folder, image))
    figures.push({
      description,
      code: withoutDescription(await textIn(code)),
      drawing: drawnText(await textIn(vector)),
      ocr: await cached(picture, () => ocr.read(picture, new AbortController().signal)),
    })
  }
  return figures
}

async function cached(picture: Buffer, read: () => Promise<string>) {
  const hash = createHash('sha256').update(JSON.stringify(ocrOptions)).update(picture)
  const path = join(cache, `${hash.digest('hex')}.txt`)
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined) return known
  const text = await read()
  await mkdir(cache, { recursive: true })
  await writeFile(path, text)
  return text
}

/** The description is the query: it must not be found in the code. */
function withoutDescription(code: string) {
  if (!code.trimStart().startsWith('{')) return code
  const { description, ...specification } = JSON.parse(code)
  return JSON.stringify(specification, null, 2)
}

const drawnText = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text).join('\n')

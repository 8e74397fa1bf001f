import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedFigures } from './generated-figures.js'

const beside = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url))

/** A bitmap and its vector image have the same name without the extension. */
export type Figure = { name: string; bytes: Buffer }

/** Figures that are distributed besides the repository, or generated figures where they are missing. */
export async function corpusFigures(countMax = 40): Promise<Figure[]> {
  const figures = join(process.env.FIGBASE_CORPUS ?? beside, 'figures')
  const names = await readdir(figures).catch(() => [])
  const images = names.filter((name) => /\.(png|svg)$/.test(name)).sort()
  if (images.length === 0) return (await generatedFigures()).slice(0, countMax)
  return Promise.all(
    images
      .slice(0, countMax)
      .map(async (name) => ({ name, bytes: await readFile(join(figures, name)) })),
  )
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawnFigures } from './drawn-figures.js'

const beside = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url))

/** A bitmap and its drawing have the same name but for the end. */
export type Figure = { name: string; bytes: Buffer }

/** Some of the figures that are handed out beside the repository; figures that we draw where they are missing. */
export async function corpusFigures(countMax = 40): Promise<Figure[]> {
  const figures = join(process.env.FIGBASE_CORPUS ?? beside, 'figures')
  const names = await readdir(figures).catch(() => [])
  const images = names.filter((name) => /\.(png|svg)$/.test(name)).sort()
  if (images.length === 0) return (await drawnFigures()).slice(0, countMax)
  return Promise.all(
    images
      .slice(0, countMax)
      .map(async (name) => ({ name, bytes: await readFile(join(figures, name)) })),
  )
}

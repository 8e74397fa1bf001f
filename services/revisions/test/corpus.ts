import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url))

/** Some of the figures that are handed out beside the repository; none where they are missing. */
export async function corpusImages(countMax = 40): Promise<string[]> {
  const figures = join(process.env.FIGBASE_CORPUS ?? beside, 'figures')
  const names = await readdir(figures).catch(() => [])
  const images = names.filter((name) => /\.(png|svg)$/.test(name)).sort()
  return images.slice(0, countMax).map((name) => join(figures, name))
}

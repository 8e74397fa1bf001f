import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const folders = [process.env.FIGBASE_CORPUS ?? '', '../shared/corpus']

/** Some of the figures that are handed out beside the repository; none where they are missing. */
export async function corpusImages(countMax = 40): Promise<string[]> {
  for (const folder of folders) {
    const figures = join(folder, 'figures')
    const names = folder ? await readdir(figures).catch(() => []) : []
    const images = names.filter((name) => /\.(png|svg)$/.test(name)).sort()
    if (images.length > 0) return images.slice(0, countMax).map((name) => join(figures, name))
  }
  return []
}

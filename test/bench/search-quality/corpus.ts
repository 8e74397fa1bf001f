import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url))
const manifest = 'manifest.json'

export class CorpusMissing extends Error {}

/** The directory of the corpus of figures: `FIGBASE_CORPUS`, or the one beside the repository. */
export function requireCorpus(): string {
  const folder = process.env.FIGBASE_CORPUS ?? beside
  if (existsSync(join(folder, manifest))) return folder
  throw new CorpusMissing(
    `search-quality needs a corpus of figures, and ${join(folder, manifest)} does not exist. Set FIGBASE_CORPUS to its directory.`,
  )
}

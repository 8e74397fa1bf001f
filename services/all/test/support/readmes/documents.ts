import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { launcher } from '../author.js'
import { type Block, readBlocks } from './blocks.js'
import { pagesOf } from './links.js'
import { Session } from './session.js'

export const root = join(dirname(launcher), '..', '..')

const notOurs = new Set([
  'node_modules',
  'dist',
  'gen',
  '.git',
  '.turbo',
  '.figbase',
  'grpc-client',
])

/** Every Markdown file of the repository. */
export function findDocuments(below = ''): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : findDocuments(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

export const readDocument = (name: string): Promise<string> => readFile(join(root, name), 'utf8')

/** The folders of the guides, whose pages continue each other. */
export const guideFolders = ['gateway/guide', 'deploy']

/** The index of a guide, and its pages in the order in which the index lists them. */
export function guideIn(folder: string): string[] {
  const index = join(folder, 'README.md')
  return [index, ...pagesOf(folder, readFileSync(join(root, index), 'utf8'))]
}

export async function runBlocks(blocks: Block[]): Promise<void> {
  await using session = await Session.open(root)
  await session.run(blocks)
}

/** Runs all blocks of some documents in one shell. */
export function testDocuments(title: string, names: string[]): void {
  test(`the blocks of ${title} run as written, in order`, async (t: TestContext) => {
    const texts = await Promise.all(names.map(readDocument))
    const blocks = texts.flatMap((text, at) => readBlocks(names[at] ?? '', text))
    for (const { document, line, notRun } of blocks) {
      if (notRun) t.diagnostic(`${document}:${line} is not run: ${notRun}`)
    }
    const shown = blocks.filter(({ notRun }) => notRun === undefined)
    if (shown.length > 0) await runBlocks(shown)
  })
}

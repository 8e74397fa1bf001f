import { GitError } from './git-error.js'
import { recordsOf } from './records.js'
import { type GitChild, outputOf, startGit, type Workspace } from './run-git.js'

/** Reads contents of files, with one process for all. */
export type Blobs = AsyncDisposable & {
  /** Waits until the content that was asked for before has been read, or given up. */
  content(id: string): AsyncGenerator<Buffer>
}

const newLine = 10

export function openBlobs(workspace: Workspace): Blobs {
  let reader: Reader | undefined
  let last: Promise<void> = Promise.resolve()

  async function* content(id: string) {
    const before = last
    let release = () => {}
    last = new Promise((resolve) => {
      release = resolve
    })
    await before
    let isComplete = false
    try {
      reader ??= createReader(startGit(workspace, ['cat-file', '--batch']))
      yield* reader.read(id)
      isComplete = true
    } finally {
      // The next content would begin with the rest of this one.
      if (!isComplete) {
        await reader?.child.kill()
        reader = undefined
      }
      release()
    }
  }

  return {
    content,
    async [Symbol.asyncDispose]() {
      await reader?.child.kill()
    },
  }
}

type Reader = { child: GitChild; read(id: string): AsyncGenerator<Buffer> }

function createReader(child: GitChild): Reader {
  const chunks = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function fill() {
    const next = await chunks.next()
    if (next.done) {
      await child.succeeded
      throw new GitError('corrupt', 'a file of the repository cannot be read')
    }
    rest = rest.length > 0 ? Buffer.concat([rest, next.value]) : next.value
  }

  async function readLine() {
    while (!rest.includes(newLine)) await fill()
    const end = rest.indexOf(newLine)
    const line = rest.subarray(0, end).toString()
    rest = rest.subarray(end + 1)
    return line
  }

  return {
    child,
    async *read(id) {
      if (!idPattern.test(id)) throw missing()
      child.stdin.write(`${id}\n`)
      const [, type, size] = (await readLine()).split(' ')
      if (type !== 'blob') throw missing()
      for (let left = Number(size); left > 0; ) {
        if (rest.length === 0) await fill()
        const part = rest.subarray(0, left)
        rest = rest.subarray(part.length)
        left -= part.length
        yield part
      }
      await readLine()
    },
  }
}

const idPattern = /^[\da-f]{40}$/
const missing = () => new GitError('corrupt', 'a file of the repository is missing')

/** Sizes of files by id. */
export async function readSizes(workspace: Workspace, ids: string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const args = ['cat-file', '--batch-check']
  const output = outputOf(workspace, args, { input: ids.map((id) => `${id}\n`).join('') })
  for await (const line of recordsOf(output, newLine)) {
    const [id = '', type, size] = line.toString().split(' ')
    if (type === 'blob') sizes.set(id, Number(size))
  }
  return sizes
}

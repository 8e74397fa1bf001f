import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { link, rename } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { codeOf, Failure } from './failure.js'
import { removeSocket } from './remove-socket.js'

/** Another running process uses the data directory. */
export class DataDirInUse extends Failure {}

const answerMs = 2000
// The path of a socket has at most 108 bytes on Linux and 104 on macOS, with the terminating zero.
const pathBytesMax = 103

/**
 * Allows one Figbase per data directory. The lock is a listening socket: it ends with its process, also after a crash,
 * does not depend on process ids, which can be reused, and works across containers that share the directory.
 */
export async function lockDataDir(dataDir: string): Promise<AsyncDisposable> {
  const directory = openSync(dataDir, 'r')
  const at = (name: string) => shortPath(dataDir, directory, name)
  const draft = `lock.${randomBytes(4).toString('hex')}`
  const server = await listen(at(draft)).catch((cause) => {
    closeSync(directory)
    throw new Failure(
      `the data directory ${dataDir} cannot be used: ${cause.message}`,
      'It must be writable, and on a file system with Unix sockets. ' +
        'Set FIGBASE_DATA_DIR to another directory.',
      { cause },
    )
  })
  try {
    await acquire(dataDir, draft, at)
  } catch (error) {
    await close(server)
    throw error
  } finally {
    await removeSocket(join(dataDir, draft))
    closeSync(directory)
  }
  return {
    async [Symbol.asyncDispose]() {
      await removeSocket(join(dataDir, 'lock'))
      await close(server)
    },
  }
}

// `link` succeeds for exactly one of several concurrent processes.
async function acquire(
  dataDir: string,
  draft: string,
  at: (name: string) => string,
): Promise<void> {
  for (;;) {
    try {
      return await link(join(dataDir, draft), join(dataDir, 'lock'))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = await askHolder(at('lock'))
    if (holder) throw inUse(dataDir, holder)
    await removeStale(dataDir, `${draft}.stale`, at)
  }
}

// Another process may have acquired the lock since the query: then its socket is restored.
async function removeStale(dataDir: string, aside: string, at: (name: string) => string) {
  try {
    await rename(join(dataDir, 'lock'), join(dataDir, aside))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const holder = await askHolder(at(aside))
  if (holder) await link(join(dataDir, aside), join(dataDir, 'lock')).catch(() => {})
  await removeSocket(join(dataDir, aside))
  if (holder) throw inUse(dataDir, holder)
}

/** Asks the lock holder who it is: 'process 123'; undefined when no process listens. */
function askHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(answerMs, () => done('a process that does not answer'))
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('end', () => done(`process ${answer.trim()}`))
    socket.on('error', (error) => {
      if (['ECONNREFUSED', 'ENOENT'].includes(codeOf(error))) return done(undefined)
      if (codeOf(error) === 'ECONNRESET') return done('another process')
      socket.destroy()
      reject(error)
    })
    const done = (holder: string | undefined) => {
      socket.destroy()
      resolve(holder)
    }
  })
}

function inUse(dataDir: string, holder: string): Failure {
  return new DataDirInUse(
    `the data directory ${dataDir} is in use by ${holder}`,
    'Stop it first, or set FIGBASE_DATA_DIR to another directory.',
  )
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(`${process.pid}\n`)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))

// On Linux an open directory has a short path in /proc.
function shortPath(dataDir: string, directory: number, name: string): string {
  const path = join(dataDir, name)
  if (Buffer.byteLength(path) <= pathBytesMax) return path
  if (process.platform === 'linux') return `/proc/self/fd/${directory}/${name}`
  throw new Failure(
    `the path of the data directory is too long: ${dataDir}`,
    'Set FIGBASE_DATA_DIR to a shorter one.',
  )
}

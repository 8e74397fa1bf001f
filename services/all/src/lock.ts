import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { link, rename } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { codeOf, Failure } from './failure.js'
import { removeSocket } from './remove-socket.js'

/** A process that runs has the data directory. */
export class InUse extends Failure {}

const answerMs = 2000
// A socket's path has 108 bytes on Linux and 104 on macOS, with the closing zero.
const pathBytesMax = 103

/**
 * One Figbase a data directory. The lock is a listening socket: it dies with its process, however
 * that ends, needs no guess about process ids that were given out again, and is seen from other
 * containers that share the directory.
 */
export async function lockDataDir(dataDir: string): Promise<AsyncDisposable> {
  const directory = openSync(dataDir, 'r')
  const at = (name: string) => shortPath(dataDir, directory, name)
  const draft = `lock.${randomBytes(4).toString('hex')}`
  const server = await listen(at(draft)).catch((cause) => {
    closeSync(directory)
    throw new Failure(
      `the data directory ${dataDir} cannot be used: ${cause.message}`,
      'It must be writable, and on a file system that knows Unix sockets. ' +
        'FIGBASE_DATA_DIR chooses another one.',
      { cause },
    )
  })
  try {
    await take(dataDir, draft, at)
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

// `link` gives the name to exactly one of those who want it.
async function take(dataDir: string, draft: string, at: (name: string) => string): Promise<void> {
  for (;;) {
    try {
      return await link(join(dataDir, draft), join(dataDir, 'lock'))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = await ask(at('lock'))
    if (holder) throw inUse(dataDir, holder)
    await removeStale(dataDir, `${draft}.stale`, at)
  }
}

// Between asking and removing, another start may have taken the name: then it gets it back.
async function removeStale(dataDir: string, aside: string, at: (name: string) => string) {
  try {
    await rename(join(dataDir, 'lock'), join(dataDir, aside))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const holder = await ask(at(aside))
  if (holder) await link(join(dataDir, aside), join(dataDir, 'lock')).catch(() => {})
  await removeSocket(join(dataDir, aside))
  if (holder) throw inUse(dataDir, holder)
}

/** Who listens: 'process 123'; undefined when nobody does. */
function ask(path: string): Promise<string | undefined> {
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
  return new InUse(
    `the data directory ${dataDir} is in use by ${holder}`,
    'Stop that one first, or choose another directory with FIGBASE_DATA_DIR.',
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

// On Linux a directory that is open has a short name, whatever its depth.
function shortPath(dataDir: string, directory: number, name: string): string {
  const path = join(dataDir, name)
  if (Buffer.byteLength(path) <= pathBytesMax) return path
  if (process.platform === 'linux') return `/proc/self/fd/${directory}/${name}`
  throw new Failure(
    `the path of the data directory is too long: ${dataDir}`,
    'Choose a shorter one with FIGBASE_DATA_DIR.',
  )
}

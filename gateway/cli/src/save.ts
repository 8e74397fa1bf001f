import { randomUUID } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { exitCode } from './exit-codes.js'
import { CommandError } from './failure.js'

type Body = globalThis.ReadableStream<Uint8Array>

/** Writes a file when all bytes have arrived. One that exists is replaced only with `force`. */
export async function save(body: Body, file: string, force = false): Promise<void> {
  const temporary = `${file}.${randomUUID()}.part`
  const remove = () => rmSync(temporary, { force: true })
  // Ctrl-C ends the process at once.
  process.once('exit', remove)
  try {
    await pipeline(toNode(body), createWriteStream(temporary, { flags: 'wx' }))
    if (!force) await reserve(file)
    await rename(temporary, file)
  } finally {
    process.off('exit', remove)
    await rm(temporary, { force: true })
  }
}

/** Fails if the file exists, also if another program has just made it. */
async function reserve(file: string): Promise<void> {
  try {
    await (await open(file, 'wx')).close()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? fileExists(file) : error
  }
}

export const fileExists = (file: string): CommandError =>
  new CommandError(exitCode.failure, 'file_exists', `${file} exists. Replace it with --force`)

/** Writes to standard output, which stays open. */
export async function toStandardOutput(body: Body): Promise<void> {
  await pipeline(toNode(body), process.stdout, { end: false })
}

const toNode = (body: Body) => Readable.fromWeb(body as ReadableStream)

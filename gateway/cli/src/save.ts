import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { exitCode } from './exit-codes.js'
import { CommandError } from './failure.js'

type Body = globalThis.ReadableStream<Uint8Array>

/** Writes a file when all bytes have arrived. One that exists is replaced only with `force`. */
export async function save(body: Body, file: string, force = false): Promise<void> {
  const temporary = `${file}.${randomUUID()}.part`
  try {
    await pipeline(
      Readable.fromWeb(body as ReadableStream),
      createWriteStream(temporary, { flags: 'wx' }),
    )
    if (force) await rename(temporary, file)
    else await link(temporary, file).catch(refuseIfThere(file))
  } finally {
    await rm(temporary, { force: true })
  }
}

const refuseIfThere = (file: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST') throw fileExists(file)
  throw error
}

export const fileExists = (file: string): CommandError =>
  new CommandError(exitCode.failure, 'file_exists', `${file} exists. Replace it with --force`)

/** Writes to standard output, which stays open. */
export async function toStandardOutput(body: Body): Promise<void> {
  await pipeline(Readable.fromWeb(body as ReadableStream), process.stdout, { end: false })
}

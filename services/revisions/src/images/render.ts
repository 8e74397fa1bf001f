import { spawn } from 'node:child_process'
import { epsPage } from './eps.js'
import { PictureError, type PictureLimits, thumbnailSidePx } from './picture.js'
import type { Renderers } from './renderers.js'

export type RenderLimits = PictureLimits & { memoryBytesMax: number }

/** What a renderer may answer, and what it may write to a file. */
const bytesMax = 64 * 2 ** 20
const filesMax = 64
/** Ghostscript lets a program read, write and delete what is in the folder for temporary files. */
const noFolder = '/dev/null'

/**
 * The first page as a PNG of the size of a thumbnail. The program reads from us and answers to us: it is told
 * no file. It belongs to the group of this process, and is killed with that.
 */
export function render(
  format: 'pdf' | 'eps',
  bytes: Buffer,
  renderers: Renderers,
  limits: RenderLimits,
): Promise<Buffer> {
  const program = renderers[format]
  if (!program) throw new PictureError('the image could not be drawn')
  if (format === 'pdf') return run([program, ...pdfArguments], [bytes], renderers, limits)
  const { widthPx, heightPx, dpi, input } = epsPage(bytes, thumbnailSidePx)
  const page = [`-g${widthPx}x${heightPx}`, `-r${dpi}`]
  return run([program, ...epsArguments, ...page, '-'], input, renderers, limits)
}

const pdfArguments = [
  '-png',
  '-singlefile',
  ...['-f', '1', '-l', '1'],
  '-cropbox',
  ...['-scale-to', String(thumbnailSidePx)],
  ...['-', '-'],
]

const epsArguments = [
  '-dSAFER',
  '-dBATCH',
  '-dNOPAUSE',
  '-dNOPROMPT',
  '-dQUIET',
  '-dFIXEDMEDIA',
  '-dLastPage=1',
  '-sDEVICE=png16m',
  '-dTextAlphaBits=4',
  '-dGraphicsAlphaBits=4',
  // What the program prints does not get into the picture.
  '-sstdout=%stderr',
  '-sOutputFile=-',
]

async function run(
  command: string[],
  input: Buffer[],
  { prlimit }: Renderers,
  limits: RenderLimits,
): Promise<Buffer> {
  const [program = '', ...args] = prlimit ? [prlimit, ...bounds(limits), ...command] : command
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...process.env, TMPDIR: noFolder },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  // It may end before it has read everything.
  child.stdin.on('error', () => {})
  for (const part of input) child.stdin.write(part)
  child.stdin.end()
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= bytesMax) chunks.push(chunk)
    else child.kill('SIGKILL')
  })
  const code = await ended
  if (code !== 0 || size === 0) throw new PictureError('the image could not be drawn')
  return Buffer.concat(chunks)
}

const bounds = ({ memoryBytesMax, imageTimeoutMs }: RenderLimits) => [
  `--as=${memoryBytesMax}`,
  `--cpu=${Math.ceil(imageTimeoutMs / 1000)}`,
  `--fsize=${bytesMax}`,
  `--nofile=${filesMax}`,
  '--core=0',
]

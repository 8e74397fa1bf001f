import { spawn } from 'node:child_process'
import { epsPage } from './eps.js'
import { PictureError, type PictureLimits, thumbnailSidePx } from './picture.js'
import type { Renderers } from './renderers.js'

export type RendererLimits = PictureLimits & { memoryBytesMax: number }

/** Limits of a renderer's output, and of the files that it may write. */
const bytesMax = 64 * 2 ** 20
const filesMax = 64
/** Ghostscript allows a program to read, write and delete in the folder for temporary files. */
const noTempDir = '/dev/null'

/**
 * Renders the first page as a PNG of the size of a thumbnail. The program reads from stdin and writes to
 * stdout, so it needs no file. It belongs to the process group of this process, and is killed with it.
 */
export function runRenderer(
  format: 'pdf' | 'eps',
  bytes: Buffer,
  renderers: Renderers,
  limits: RendererLimits,
): Promise<Buffer> {
  const program = renderers[format]
  if (!program) throw new PictureError('the image could not be rendered')
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
  // Keeps what the program prints out of the picture.
  '-sstdout=%stderr',
  '-sOutputFile=-',
]

async function run(
  command: string[],
  input: Buffer[],
  { prlimit }: Renderers,
  limits: RendererLimits,
): Promise<Buffer> {
  const [program = '', ...args] = prlimit ? [prlimit, ...bounds(limits), ...command] : command
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...process.env, TMPDIR: noTempDir },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  // The program may end before it has read its whole input.
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
  if (code !== 0 || size === 0) throw new PictureError('the image could not be rendered')
  return Buffer.concat(chunks)
}

const bounds = ({ memoryBytesMax, imageTimeoutMs }: RendererLimits) => [
  `--as=${memoryBytesMax}`,
  `--cpu=${Math.ceil(imageTimeoutMs / 1000)}`,
  `--fsize=${bytesMax}`,
  `--nofile=${filesMax}`,
  '--core=0',
]

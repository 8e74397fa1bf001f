import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { EmbedderError } from '../port.js'

export type LocalModel = {
  /** The directory, absolute. */
  dir: string
  /** Name, and the first digits of the hash of the text tower. */
  model: string
  dimensions: number
  /** The suffix of the files of the towers: quantized or not. */
  dtype: 'fp32' | 'q8'
}

const suffixes = { fp32: '', q8: '_quantized' } as const

/**
 * Reads what a directory with a model like CLIP says about itself: `config.json` with `projection_dim`,
 * `onnx/text_model.onnx` and `onnx/vision_model.onnx`, or both with `_quantized`. Throws an EmbedderError that says what
 * is missing.
 */
export async function readModelFiles(path: string): Promise<LocalModel> {
  const dir = resolve(path)
  for (const dtype of ['fp32', 'q8'] as const) {
    const towers = ['text', 'vision'].map((tower) =>
      join(dir, 'onnx', `${tower}_model${suffixes[dtype]}.onnx`),
    )
    if (!(await haveAll(towers))) continue
    const dimensions = await readDimensions(dir)
    const version = await hashOf(towers[0] ?? '')
    return { dir, dtype, dimensions, model: `local/${basename(dir)}@${version.slice(0, 12)}` }
  }
  throw new EmbedderError(
    `EMBEDDER_DIR: ${dir} has no onnx/text_model.onnx and onnx/vision_model.onnx, also none with _quantized`,
    false,
  )
}

async function readDimensions(dir: string): Promise<number> {
  const text = await readFile(join(dir, 'config.json'), 'utf8').catch(() => '{}')
  const dimensions = JSON.parse(text).projection_dim
  if (Number.isInteger(dimensions) && dimensions > 0) return dimensions
  throw new EmbedderError(`EMBEDDER_DIR: ${dir}/config.json has no projection_dim`, false)
}

async function haveAll(paths: string[]): Promise<boolean> {
  const found = await Promise.allSettled(paths.map((path) => access(path)))
  return found.every(({ status }) => status === 'fulfilled')
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

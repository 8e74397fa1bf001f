import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { embedderContract } from '../contract.js'
import type { Embedder } from '../port.js'
import { createLocalEmbedder } from './local.js'

/** Stands in for the library: towers that add up the letters of a text and the bytes of a picture. */
const library = `
  exports.env = { allowRemoteModels: true }
  const open = (make) => ({
    async from_pretrained(name, options) {
      const { allowRemoteModels, localModelPath, useFSCache } = exports.env
      if (allowRemoteModels || useFSCache || !localModelPath) throw new Error('would download')
      if (options && options.dtype !== 'q8') throw new Error('other files')
      return make(name, options?.model_file_name)
    },
  })
  const sums = (values) => {
    const data = new Float32Array(128)
    for (const value of values) data[value % 128] += 1
    return data
  }
  exports.AutoTokenizer = open(() => (texts) => ({ texts }))
  exports.CLIPTextModelWithProjection = open((name, file) => async ({ texts }) => {
    if (name !== 'tiny' || file !== 'text_model') throw new Error('other model')
    const rows = texts.map((text) => [...sums(Buffer.from(text))])
    return { text_embeds: { data: Float32Array.from(rows.flat()) } }
  })
  exports.AutoProcessor = open(() => async (picture) => picture)
  exports.RawImage = { fromBlob: async (blob) => Buffer.from(await blob.arrayBuffer()) }
  exports.CLIPVisionModelWithProjection = open((name, file) => async (bytes) => {
    if (name !== 'tiny' || file !== 'vision_model') throw new Error('other model')
    return { image_embeds: { data: sums(bytes) } }
  })
`
const signal = new AbortController().signal
const temporary = await mkdtemp(join(tmpdir(), 'local-embedder-'))
const opened: Embedder[] = []
after(async () => {
  for (const embedder of opened) await embedder[Symbol.asyncDispose]()
  await rm(temporary, { recursive: true })
})

async function modelDir(parent: string, config: object) {
  const dir = join(temporary, parent, 'tiny')
  await mkdir(join(dir, 'onnx'), { recursive: true })
  await writeFile(join(dir, 'config.json'), JSON.stringify(config))
  for (const tower of ['text', 'vision']) {
    await writeFile(join(dir, 'onnx', `${tower}_model_quantized.onnx`), tower)
  }
  return dir
}

async function open(dir: string) {
  const embedder = await createLocalEmbedder(dir, {
    concurrency: 1,
    timeoutMs: 60_000,
    memoryBytesMax: 2 ** 30,
    textCharsMax: 500,
    isKeptWarm: false,
  })
  opened.push(embedder)
  return embedder
}

const complete = await modelDir('complete', { projection_dim: 128 })
const installed = join(complete, 'node_modules/@huggingface/transformers')
await mkdir(installed, { recursive: true })
await writeFile(join(installed, 'index.js'), library)
const embedder = await open(complete)

embedderContract('local', async () => embedder)

test('local: texts and pictures have vectors in one space', async () => {
  assert.match(embedder.model, /^local\/tiny@[0-9a-f]{12}$/)
  const [text] = await embedder.embedTexts(['same bytes'], signal)
  const picture = await embedder.embedPicture?.(Buffer.from('same bytes'), signal)
  assert.deepEqual(picture, text)
})

test('local: says how to install the library', async () => {
  const without = await open(await modelDir('without', { projection_dim: 128 }))
  await assert.rejects(without.embedTexts(['a'], signal), /npm install --prefix .*tiny @hugging/)
})

test('local: says what is missing in the directory', async () => {
  await assert.rejects(open(join(temporary, 'none')), /none has no onnx\/text_model\.onnx/)
  await assert.rejects(open(await modelDir('other', {})), /config\.json has no projection_dim/)
})

test('local: refuses vectors of another length than the directory promises', async () => {
  const dir = await modelDir('shorter', { projection_dim: 64 })
  await mkdir(join(dir, 'node_modules/@huggingface/transformers'), { recursive: true })
  await writeFile(join(dir, 'node_modules/@huggingface/transformers/index.js'), library)
  const other = await open(dir)
  await assert.rejects(other.embedTexts(['a'], signal), /another length/)
})

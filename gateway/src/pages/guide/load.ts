import { readdir, readFile } from 'node:fs/promises'
import { type PageText, renderGuide } from './render.js'

/** The user's guide, which is Markdown beside the sources of the gateway, wherever the process was started. */
const folder = new URL('../../../../guide/', import.meta.url)

export type Guide = Awaited<ReturnType<typeof load>>

let loading: Promise<Guide> | undefined

/** Reads and renders the guide once. */
export function loadGuide(): Promise<Guide> {
  loading ??= load()
  return loading
}

async function load() {
  const [pages, images] = await Promise.all([readPages(), readImages()])
  return { ...(await renderGuide(pages)), images }
}

/** The index, and the pages in the order in which it lists them. */
async function readPages(): Promise<PageText[]> {
  const read = async (name: string, file: string) => ({
    name,
    text: await readFile(new URL(file, folder), 'utf8'),
  })
  const index = await read('', 'README.md')
  const names = [...index.text.matchAll(/^\d+\. \[[^\]]+\]\(([\w-]+)\.md\)/gm)].map(
    ([, name = '']) => name,
  )
  return [index, ...(await Promise.all(names.map((name) => read(name, `${name}.md`))))]
}

async function readImages(): Promise<Map<string, Buffer>> {
  const images = new URL('images/', folder)
  const names = (await readdir(images)).filter((name) => name.endsWith('.png'))
  const read = async (name: string): Promise<[string, Buffer]> => [
    name,
    await readFile(new URL(name, images)),
  ]
  return new Map(await Promise.all(names.map(read)))
}

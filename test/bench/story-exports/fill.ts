import { noisePng } from '../noise.js'
import type { Product } from '../product.js'

/** A client of the product that fails loudly. */
export type Caller = {
  origin: string
  headers: Record<string, string>
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
}

export const api = '/api/v1.4.1'

export type Filled = { story: string; pictures: string[]; pictureBytes: number }
export type Size = { slides: number; pictureBytes: number; rounds: number }

export const exportSizes: Record<'full' | 'quick', Size> = {
  full: { slides: 200, pictureBytes: 200_000, rounds: 3 },
  quick: { slides: 20, pictureBytes: 200_000, rounds: 2 },
}

export async function signUp({ url }: Product): Promise<Caller> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const init = body && { body: JSON.stringify(body) }
    const response = await fetch(`${url}${api}/${path}`, { method, headers, ...init })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    return (await response.json()) as T
  }
  const caller: Caller = {
    origin: url,
    headers,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  }
  const user = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' }
  const { auth } = await caller.post<{ auth: { access: string } }>('user/', user)
  headers.authorization = `Bearer ${auth.access}`
  return caller
}

type Created = { api_id: string; data: { api_id: string }[] }

/** A story with a slide for each of as many figures, which have a PNG that does not compress, an SVG and code. */
export async function fill(caller: Caller, { slides, pictureBytes }: Size): Promise<Filled> {
  const { api_id: workspace } = await caller.post<Created>('workspace/', { name: 'Climate' })
  const place = { name: 'Temperatures', workspace }
  const { api_id: analysis } = await caller.post<Created>('analysis/', place)
  const pictures: string[] = []
  const told: object[] = []
  let bytes = 0
  for (let n = 0; n < slides; n++) {
    const { api_id: figure } = await caller.post<Created>('figure/', { name: `F ${n}`, analysis })
    const png = noisePng(pictureBytes)
    bytes += png.length
    const data = [image('png', png), image('svg', drawing(n)), code(n)]
    const { api_id, data: stored } = await caller.post<Created>('revision/', { figure, data })
    pictures.push(stored[0]?.api_id ?? '')
    told.push({ slide_type: 'figure', revision_id: api_id, content: textOf(n) })
  }
  const body = { name: 'Two hundred', workspace, slides: told }
  const { api_id: story } = await caller.post<Created>('story/', body)
  return { story, pictures, pictureBytes: bytes }
}

const image = (format: string, bytes: Buffer) => ({
  name: 'figure',
  type: 'image',
  metadata: { format },
  data: bytes.toString('base64'),
})

const code = (n: number) => ({
  name: `plot-${n}.py`,
  type: 'code',
  metadata: { language: 'Python' },
  data: Buffer.from(`plot(${n})`).toString('base64'),
})

/** A square, like the noise, with 2000 points. */
function drawing(n: number): Buffer {
  const points = Array.from({ length: 2000 }, (_, i) => `${i / 10},${100 + 90 * Math.sin(i / n)}`)
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><polyline fill="none" stroke="#36c" points="${points.join(' ')}"/></svg>`,
  )
}

const textOf = (n: number) =>
  `## Finding ${n}\n\n- It **rose** until *May*\n- It fell after that\n\n| station | mean |\n|---|---|\n| North | ${n} |`

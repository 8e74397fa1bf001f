import { setTimeout as sleep } from 'node:timers/promises'
import { png } from '../../src/images.js'
import { api } from '../load/jobs.js'

/** What the pages show. */
export type Place = {
  headers: Record<string, string>
  workspace: string
  analysis: string
  figure: string
  revision: string
}

type Created = { api_id: string; auth?: { access: string } }

/** As many as the largest analysis of the corpus of figures. */
export const figureCount = 84
export const revisionCount = 10
const processedMsMax = 120_000

/** Publishes figures with pictures, code and data, and waits until they are processed. */
export async function newPlace(origin: string): Promise<Place> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<Created> => {
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${origin}${api}/${path}/`, request)
    if (response.status !== 201) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as Created
  }
  const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' }
  const user = await post('user', account)
  headers.authorization = `Bearer ${user.auth?.access}`
  const { api_id: workspace } = await post('workspace', { name: 'Climate' })
  const { api_id: analysis } = await post('analysis', { name: 'Temperatures', workspace })
  const newFigure = async (n: number) =>
    (await post('figure', { name: `Figure ${n}`, analysis })).api_id
  const publish = (figure: string, n: number) =>
    post('revision', { figure, metadata: { n }, data: dataOf(n) })
  const figure = await newFigure(0)
  let revision = ''
  for (let n = 0; n < revisionCount; n++) revision = (await publish(figure, n)).api_id
  for (let n = 1; n < figureCount; n++) revision = (await publish(await newFigure(n), n)).api_id
  await untilProcessed(`${origin}${api}/revision/${revision}/`, headers)
  return { headers, workspace, analysis, figure, revision }
}

const base64 = (bytes: Buffer) => bytes.toString('base64')

const dataOf = (n: number) => [
  { name: 'figure', type: 'image', data: base64(png(600, 400, n)) },
  { name: 'code', type: 'code', data: base64(Buffer.from(`plot(table[${n}])\n`.repeat(40))) },
  {
    name: 'counts.csv',
    type: 'dataframe',
    data: base64(Buffer.from('week,count\n1,2\n'.repeat(50))),
  },
]

async function untilProcessed(url: string, headers: Record<string, string>) {
  const end = performance.now() + processedMsMax
  for (;;) {
    const read = (await (await fetch(url, { headers })).json()) as { is_processing?: boolean }
    if (!read.is_processing) return
    if (performance.now() > end) throw new Error(`${url} is still being processed`)
    await sleep(100)
  }
}

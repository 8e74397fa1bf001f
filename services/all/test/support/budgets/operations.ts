import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

type Created = { api_id: string; data: { api_id: string }[]; is_processing: boolean }

/** A request to count, on objects created for it. */
export type Operation = () => Promise<unknown>

export type Place = {
  workspace: string
  analysis: string
  other: string
  figure: string
  /** Revisions to tell in stories. */
  told: string[]
}

/** A user of the API. */
export class Browser {
  token = ''

  constructor(readonly url: string) {}

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await fetch(`${this.url}/api/v1.4.1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const isGood = response.ok || response.status === 304
    assert.ok(isGood, `${method} ${path}: ${response.status}`)
    return response
  }

  async json<T = Created>(method: string, path: string, body?: unknown): Promise<T> {
    return (await this.request(method, path, body)).json() as T
  }

  /** Opens a page, with the token in place of a session. */
  async open(path: string): Promise<string> {
    const headers = { accept: 'text/html', authorization: `Bearer ${this.token}` }
    const response = await fetch(`${this.url}${path}`, { headers })
    assert.ok(response.ok, `${path}: ${response.status}`)
    return response.text()
  }

  async signUp(username: string): Promise<this> {
    const account = {
      username,
      email: `${username}@example.org`,
      password: 'correct horse battery',
    }
    const { auth } = await this.json<{ auth: { access: string } }>('POST', 'user/', account)
    this.token = auth.access
    return this
  }

  newFigure(analysis: string): Promise<Created> {
    return this.json('POST', 'figure/', { name: 'Monthly means', analysis })
  }

  newStory(workspace: string, revisions: string[]): Promise<Created> {
    return this.json('POST', 'story/', { name: 'Seasons', workspace, revisions })
  }

  publish(figure: string, data: object[]): Promise<Created> {
    return this.json('POST', 'revision/', { figure, data })
  }
}

export const file = () => ({
  name: 'table.csv',
  type: 'file',
  data: randomBytes(20_000).toString('base64'),
})

/** A new picture, which is not deduplicated. */
export async function picture(): Promise<object> {
  const raw = { width: 64, height: 64, channels: 3 as const }
  const bytes = await sharp(randomBytes(64 * 64 * 3), { raw })
    .png()
    .toBuffer()
  return { name: 'figure.png', type: 'image', data: bytes.toString('base64') }
}

/** The main operations by name; each call prepares a new one. */
export function operationsOf(
  ann: Browser,
  { workspace, analysis, other, figure, told }: Place,
): Record<string, () => Promise<Operation>> {
  /** `*` stands for the ETag of any version. */
  const unchanged = async (path: string) => {
    const response = await ann.request('GET', path, undefined, { 'if-none-match': '*' })
    assert.equal(response.status, 304)
  }
  const onFigure = (operate: (id: string) => Promise<unknown>) => async () => {
    const { api_id } = await ann.newFigure(analysis)
    return () => operate(api_id)
  }
  const onStory = (operate: (id: string) => Promise<unknown>) => async () => {
    const { api_id } = await ann.newStory(workspace, told)
    return () => operate(api_id)
  }
  return {
    'read a figure with 10 revisions': async () => () => ann.json('GET', `figure/${figure}/`),
    'read an analysis with 100 figures': async () => () => ann.json('GET', `analysis/${other}/`),
    'read an unchanged figure': async () => () => unchanged(`figure/${figure}/`),
    'read an unchanged analysis': async () => () => unchanged(`analysis/${other}/`),
    'count figures': async () => () => ann.request('HEAD', 'figure/'),
    'list figures': async () => () => ann.json('GET', 'figure/?page_size=50'),
    'create a figure': async () => () => ann.newFigure(analysis),
    'rename a figure': onFigure((id) => ann.json('PATCH', `figure/${id}/`, { name: 'Renamed' })),
    'move a figure': onFigure((id) => ann.json('PATCH', `figure/${id}/`, { analysis: other })),
    'delete a figure': onFigure((id) => ann.request('DELETE', `figure/${id}/`)),
    'publish a file': onFigure((id) => ann.publish(id, [file()])),
    'publish a PNG': async () => {
      const [{ api_id }, image] = [await ann.newFigure(analysis), await picture()]
      return () => ann.publish(api_id, [image])
    },
    'derive a revision': async () => {
      const source = await ann.publish((await ann.newFigure(analysis)).api_id, [file()])
      const target = await ann.newFigure(analysis)
      return () => ann.json('POST', `revision/${source.api_id}/derive/`, { figure: target.api_id })
    },
    'read a warm thumbnail': async () => () =>
      ann.request('GET', `figure/${figure}/thumbnail/256/?dl=1`),
    'comment a figure': onFigure((id) =>
      ann.json('POST', 'comment/', { target_type: 'figure', target_id: id, content: 'A comment' }),
    ),
    'share a figure with a user': onFigure((id) =>
      ann.json('POST', `figure/${id}/share/user/`, { username: 'bob', sharing_enabled: true }),
    ),
    'create a story': async () => () => ann.newStory(workspace, told),
    'rename a story': onStory((id) => ann.json('PATCH', `story/${id}/`, { name: 'Renamed' })),
    'read a story': onStory((id) => ann.json('GET', `story/${id}/`)),
    'read a workspace': async () => () => ann.json('GET', `workspace/${workspace}/`),
    'open home': async () => () => ann.open('/'),
    'open a workspace': async () => () => ann.open(`/workspace/${workspace}/`),
    'open an analysis with 100 figures': async () => () => ann.open(`/analysis/${other}/`),
    'open a figure with 10 revisions': async () => () => ann.open(`/figure/${figure}/`),
    'load the picture of a figure': async () => () =>
      ann.open(`/figure/${figure}/picture/?size=256`),
    'list 60 figures by name': async () => () =>
      ann.open(`/analysis/${other}/?list=figure&sort=name&words=monthly`),
    'compare two revisions': async () => () =>
      ann.open(`/figure/${figure}/compare/?from=${told[0]}&to=${told[1]}`),
    'open a revision': async () => () => ann.open(`/revision/${told[0]}/`),
  }
}

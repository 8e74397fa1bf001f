import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployment, LATEST } from '../src/deployment.js'
import { runProgram } from '../src/generated-clients/run-program.js'
import { snippetsIn } from '../src/generated-clients/snippets.js'
import { publishWithTypes } from '../src/generated-clients/typescript.js'
import type { Analysis, Figure, Revision, Tokens, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

const document = await readDocument()
const data = [{ name: 'note', type: 'text', data: Buffer.from('hello').toString('base64') }]

async function readDocument(): Promise<object> {
  const answer = await fetch(new URL(`/api/${LATEST}/openapi.json`, deployment.origin))
  return (await answer.json()) as object
}

async function assertPublished({ api }: TestUser, revision: string) {
  const { body } = await api.get<Revision>(`revision/${revision}/`)
  assert.deepEqual(
    body.data?.map(({ name, size_bytes }) => ({ name, size_bytes })),
    [{ name: 'note', size_bytes: 5 }],
  )
}

test('TypeScript: a client with generated types compiles, and publishes a figure', async () => {
  const user = await signUp()
  const revision = await publishWithTypes(document, {
    FIGBASE_URL: deployment.origin.origin,
    FIGBASE_USERNAME: user.username,
    FIGBASE_PASSWORD: user.password,
  })
  await assertPublished(user, revision)
})

const languages = [
  { name: 'Python', generator: ['python', 'Requests'], command: 'python3' },
  { name: 'Shell', generator: ['curl', 'cURL'], command: 'sh' },
] as const

for (const { name, generator, command } of languages) {
  test(`${name}: generated programs publish a figure`, async () => {
    const user = await signUp()
    const snippets = await snippetsIn([...generator], document, deployment.origin.origin)
    const call = async <T>(summary: string, body?: object, token?: string): Promise<T> => {
      const given = { ...(body && { body }), ...(token && { token }) }
      const program = await snippets.generate(summary, given)
      return JSON.parse(await runProgram(command, ['-c', program])) as T
    }
    const { username, password } = user
    const signIn = 'Sign in with a username and a password'
    const { access } = await call<Tokens>(signIn, { username, password })
    const list = 'List the workspaces that the caller may view'
    const [workspace] = await call<Workspace[]>(list, undefined, access)
    const inWorkspace = { name, workspace: workspace?.api_id }
    const analysis = await call<Analysis>('Create an analysis', inWorkspace, access)
    const inAnalysis = { name, analysis: analysis.api_id }
    const figure = await call<Figure>('Create a figure', inAnalysis, access)
    const publication = { figure: figure.api_id, data }
    const revision = await call<Revision>('Publish a figure revision', publication, access)
    await assertPublished(user, revision.api_id)
  })
}

// Publishes a figure with a client whose types are generated from the OpenAPI document. Prints the id of the revision.
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

type Schemas = components['schemas']

const { FIGBASE_URL: baseUrl = '', FIGBASE_USERNAME = '', FIGBASE_PASSWORD = '' } = process.env

const signedOut = createClient<paths>({ baseUrl })
const tokens = dataOf<Schemas['Tokens']>(
  await signedOut.POST('/api/token/', {
    body: { username: FIGBASE_USERNAME, password: FIGBASE_PASSWORD },
  }),
)
const client = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${tokens.access}` },
})

const query = { page_size: 1 }
const listed = dataOf(await client.GET('/api/v1.4.1/workspace/', { params: { query } }))
// A list is an array; with `page_size` it is a page.
const [workspace] = Array.isArray(listed) ? listed : listed.items
if (!workspace) throw new Error('no workspace')
const analysis = dataOf<Schemas['Analysis']>(
  await client.POST('/api/v1.4.1/analysis/', {
    body: { name: 'Typed', workspace: workspace.api_id },
  }),
)
const figure = dataOf<Schemas['Figure']>(
  await client.POST('/api/v1.4.1/figure/', { body: { name: 'Typed', analysis: analysis.api_id } }),
)
const data: Schemas['NewDataObject'][] = [
  { name: 'note', type: 'text', data: Buffer.from('hello').toString('base64') },
]
const revision = dataOf<Schemas['Revision']>(
  await client.POST('/api/v1.4.1/revision/', { body: { figure: figure.api_id, data } }),
)
console.log(revision.api_id)

/** The members of the errors are typed, too. */
function dataOf<T>(answer: { data?: T; error?: Schemas['Problem'] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.error)
  return answer.data
}

import { type Endpoint, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { gitImportSchema, gitImportShape } from '../../shapes/git-repository.js'
import { listEndpoint } from '../list.js'

const path = '/git_repository/:api_id/import/'

const list = listEndpoint({
  path,
  since: 'v1.4.1',
  auth: 'required',
  operationId: 'listGitImports',
  summary: 'List the imports of a Git repository',
  description: 'The newest comes first.',
  item: gitImportSchema,
  async readPage({ params, services, call }, page) {
    const request = { repositoryId: params.api_id ?? '', ...page }
    const { imports, nextPageToken } = await services.git.listGitImports(request, call)
    return { items: imports.map(gitImportShape), nextPageToken }
  },
})

const start = endpoint({
  method: 'POST',
  path,
  since: 'v1.4.1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: at most one import of a repository waits',
  operationId: 'importGitRepository',
  summary: 'Import a Git repository now',
  description:
    'If an import waits, it is the answer. If one is running, it is the answer, and another one follows it.',
  responses: { 202: gitImportSchema },
  errors: { 503: ['git_unavailable'] },
  async handle({ params, services, call }) {
    const { import: one } = await services.git.importGitRepository(
      { id: params.api_id ?? '' },
      call,
    )
    return { status: 202, body: gitImportShape(required(one)) }
  },
})

export const imports: Endpoint[] = [list, start]

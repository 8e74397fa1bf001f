import { NodeType, Permission } from '@figbase/proto/catalog'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { required } from '../../required.js'
import {
  gitRepositorySchema,
  gitRepositoryShape,
  gitRepositoryWithSecretSchema,
} from '../../shapes/git-repository.js'
import { closedBody } from '../body-members.js'
import { listEndpoint, pageOf } from '../list.js'
import { nounOf } from '../nouns.js'
import { members } from './members.js'

type Target = { segment: 'analysis' | 'workspace'; type: NodeType }

const targets: Target[] = [
  { segment: 'analysis', type: NodeType.ANALYSIS },
  { segment: 'workspace', type: NodeType.WORKSPACE },
]

const list = ({ segment, type }: Target) =>
  listEndpoint({
    path: `/${segment}/:id/git_repository/`,
    since: 'v1.4.1',
    auth: 'required',
    operationId: `list${nounOf(segment).idPart}GitRepositories`,
    summary: `List the Git repositories of ${nounOf(segment).a}`,
    description: 'The caller needs the permission CREATE. The oldest comes first.',
    item: gitRepositorySchema,
    // At most GIT_REPOSITORIES_MAX.
    isShort: true,
    async readPage(input, page) {
      const { params, services, call } = input
      const request = { targetId: params.id ?? '', targetType: type }
      const { repositories } = await services.git.listGitRepositories(request, call)
      const shapes = repositories.map((one) => gitRepositoryShape(one, siteOriginOf(input)))
      return pageOf(shapes, ({ api_id }) => api_id, page)
    },
  })

const create = ({ segment, type }: Target) =>
  endpoint({
    method: 'POST',
    path: `/${segment}/:id/git_repository/`,
    since: 'v1.4.1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'secret',
    operationId: `create${nounOf(segment).idPart}GitRepository`,
    summary: `Import a Git repository into ${nounOf(segment).a}`,
    description:
      'The caller needs the permission CREATE, and imports happen in their name. Only this answer contains the secret of the webhook. The first import is started by `import/`.',
    body: closedBody(members).meta({
      id: 'GitRepositoryCreation',
      description: 'A Git repository to import.',
    }),
    responses: { 201: gitRepositoryWithSecretSchema },
    responseHeaders: ['Location'],
    errors: { 409: ['too_many_repositories'], 503: ['git_unavailable'] },
    guard: ({ id = '' }) => ({ id, permission: Permission.CREATE, type }),
    async handle(input) {
      const { version, params, body, services, call } = input
      const request = {
        targetId: params.id ?? '',
        targetType: type,
        url: body.url,
        branch: body.branch ?? '',
        token: body.token ?? '',
        sshKeyId: body.ssh_key ?? '',
        include: body.include ?? [],
        exclude: body.exclude ?? [],
        schedule: body.schedule ?? '',
      }
      const answer = await services.git.createGitRepository(request, call)
      const repository = required(answer.repository)
      const location = `/api/${version}/git_repository/${repository.id}/`
      const shape = gitRepositoryShape(repository, siteOriginOf(input))
      return created({ ...shape, secret: answer.pushSecret }, { location })
    },
  })

export const ofTarget: Endpoint[] = targets.flatMap((target) => [list(target), create(target)])

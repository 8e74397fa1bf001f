import { z } from 'zod'
import { type Endpoint, endpoint, noContent, ok } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { required } from '../../required.js'
import {
  gitRepositorySchema,
  gitRepositoryShape,
  gitRepositoryWithSecretSchema,
} from '../../shapes/git-repository.js'
import { closedBody } from '../body-members.js'
import { members } from './members.js'

const path = '/git_repository/:api_id/'
const common = { since: 'v1.4.1', auth: 'required' } as const

const get = endpoint({
  ...common,
  method: 'GET',
  path,
  idempotent: true,
  operationId: 'getGitRepository',
  summary: 'Get a Git repository',
  description: 'The caller needs the permission CREATE on its analysis or workspace.',
  responses: { 200: gitRepositorySchema },
  async handle(input) {
    const { params, services, call } = input
    const { repository } = await services.git.getGitRepository({ id: params.api_id ?? '' }, call)
    return ok(gitRepositoryShape(required(repository), siteOriginOf(input)))
  },
})

const update = endpoint({
  ...common,
  method: 'PATCH',
  path,
  idempotent: true,
  operationId: 'updateGitRepository',
  summary: 'Change a Git repository',
  description:
    'Only for the user who registered it. Omitted members keep their values. The URL of another server needs its token.',
  body: closedBody(
    {
      ...members,
      url: members.url.optional(),
      forget_host_keys: z.boolean('must be true or false').optional(),
    },
    gitRepositorySchema,
  ),
  responses: { 200: gitRepositorySchema },
  async handle(input) {
    const { params, body, services, call } = input
    const { url, branch, token, ssh_key, include, exclude, schedule } = body
    const request = {
      id: params.api_id ?? '',
      ...(url !== undefined && { url }),
      ...(branch !== undefined && { branch }),
      ...(token !== undefined && { token: token ?? '' }),
      ...(ssh_key !== undefined && { sshKeyId: ssh_key ?? '' }),
      ...(include && { include: { patterns: include } }),
      ...(exclude && { exclude: { patterns: exclude } }),
      ...(schedule !== undefined && { schedule: schedule ?? '' }),
      forgetHostKeys: body.forget_host_keys ?? false,
    }
    const { repository } = await services.git.updateGitRepository(request, call)
    return ok(gitRepositoryShape(required(repository), siteOriginOf(input)))
  },
})

const remove = endpoint({
  ...common,
  method: 'DELETE',
  path,
  idempotent: true,
  operationId: 'deleteGitRepository',
  summary: 'Remove a Git repository',
  description:
    'Its figures and assets stay. For the user who registered it, and those with the permission MANAGE.',
  responses: { 204: null },
  async handle({ params, services, call }) {
    await services.git.deleteGitRepository({ id: params.api_id ?? '' }, call)
    return noContent
  },
})

const rotate = endpoint({
  ...common,
  method: 'POST',
  path: `${path}rotate_secret/`,
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'rotateGitRepositorySecret',
  summary: 'Give the webhook of a Git repository a new secret',
  description: 'Only this answer contains it. The old one is no longer accepted.',
  responses: { 200: gitRepositoryWithSecretSchema },
  async handle(input) {
    const { params, services, call } = input
    const request = { id: params.api_id ?? '' }
    const { repository, pushSecret } = await services.git.rotateGitPushSecret(request, call)
    const shape = gitRepositoryShape(required(repository), siteOriginOf(input))
    return ok({ ...shape, secret: pushSecret })
  },
})

export const repository: Endpoint[] = [get, update, remove, rotate]

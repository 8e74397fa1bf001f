import { RevisionState } from '@figbase/proto/search'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { required } from '../../required.js'
import { nounOf } from '../nouns.js'
import type { RevisionKind } from './kinds.js'

/** Without an answer of search, its part is null. */
const searchTimeoutMs = 2000

const searchStates = ['pending', 'indexed', 'failed'] as const
type SearchState = (typeof searchStates)[number]

const states: Partial<Record<RevisionState, SearchState>> = {
  [RevisionState.PENDING]: 'pending',
  [RevisionState.INDEXED]: 'indexed',
  [RevisionState.FAILED]: 'failed',
}

export const revisionStatus = ({ segment, type }: RevisionKind): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${segment}/:id/status/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    operationId: `get${nounOf(segment).idPart}Status`,
    summary: `Get how far ${nounOf(segment).a} has been processed`,
    description:
      'The answer tells whether its data is still being processed, and whether search finds it by all that is known of it.',
    responses: {
      200: z.object({ is_processing: z.boolean(), search: z.enum(searchStates).nullable() }),
    },
    async handle(input) {
      const request = { id: input.params.id ?? '', type, summary: true, withProcessing: true }
      const answer = await input.services.revisions.getRevision(request, input.call)
      const { id, version, isProcessing } = required(answer.revision)
      const { isPending, texts } = required(answer.processing)
      const search =
        isProcessing || isPending ? 'pending' : await searchState(input, { id, version, texts })
      return ok({ is_processing: isProcessing, search })
    },
  })

async function searchState(
  { services, call }: Input,
  request: { id: string; version: number; texts: number },
): Promise<SearchState | null> {
  const answer = services.search.getRevisionState(request, { ...call, timeoutMs: searchTimeoutMs })
  const { state } = (await ifAvailable(answer)) ?? {}
  return (state !== undefined && states[state]) || null
}

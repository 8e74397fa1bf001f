import { invalid } from '@figbase/kit/errors'
import { NodeType, Permission } from '@figbase/proto/catalog'
import { UnlinkFigureRequest_Anchor as Anchor } from '@figbase/proto/revisions'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { closedBody, idText } from '../body-members.js'
import { etagOf } from '../if-match.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { assetRevisions } from './kinds.js'

const type = NodeType.ASSET_REVISION

export const unlinkFigure = endpoint({
  method: 'POST',
  path: '/asset_revision/:id/unlink_figure/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  operationId: 'unlinkFigureRevision',
  summary: 'Remove the link of a figure revision to an asset revision',
  description: 'The figure revision can be deleted with it.',
  query: silentQuery,
  body: closedBody({
    figure_revision: idText,
    anchor: z.string('must be a string').nullish(),
    delete_figure_revision: z.boolean('must be true or false').nullish(),
  }),
  responses: { 200: assetRevisions.fullSchema },
  responseHeaders: ['ETag'],
  guard: ({ id = '' }) => ({ id, permission: Permission.VIEW, type }),
  async handle(input) {
    const { params, body, query, services, call } = input
    const assetRevisionId = params.id ?? ''
    const { figure_revision: figureRevisionId, anchor, delete_figure_revision: isDeleted } = body
    const request = {
      assetRevisionId,
      figureRevisionId,
      anchor: anchorOf(anchor ?? 'figure_revision', assetRevisionId, figureRevisionId),
      deleteFigureRevision: isDeleted ?? false,
      silent: isSilent(query),
    }
    const { revision } = await services.revisions.unlinkFigure(request, call)
    return ok(
      (await assetRevisions.full(input, required(revision))).body,
      etagOf(required(revision)),
    )
  },
})

/** The revision that counts as updated: given by type or by id. */
function anchorOf(anchor: string, assetRevisionId: string, figureRevisionId: string): Anchor {
  const given = anchor.toLowerCase()
  if (['figure_revision', figureRevisionId.toLowerCase()].includes(given)) {
    return Anchor.FIGURE_REVISION
  }
  if (['asset_revision', assetRevisionId.toLowerCase()].includes(given))
    return Anchor.ASSET_REVISION
  throw invalid(
    'anchor',
    'must be `figure_revision`, `asset_revision`, or the api_id of one of the two',
  )
}

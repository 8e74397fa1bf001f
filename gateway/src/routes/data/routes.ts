import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { logItemRoute, logRoute } from '../core/log.js'
import type { Resource } from '../core/resources.js'
import { sizeSchema } from '../core/size.js'
import { thumbnailRoutes } from '../core/thumbnail.js'
import { getDataObject } from './open-data.js'
import { dataStorage } from './storage.js'

const size = endpoint({
  method: 'GET',
  path: '/data/:id/size/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'getDataObjectSize',
  summary: 'Get the size of a data object',
  description: 'The size is that of the decoded data.',
  responses: { 200: sizeSchema },
  async handle(input) {
    return ok({ size_bytes: Number((await getDataObject(input)).sizeBytes) })
  },
})

const children = endpoint({
  method: 'GET',
  path: '/data/:id/children/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'listDataObjectChildren',
  summary: 'List what is below a data object',
  description: 'The list is always empty.',
  responses: { 200: z.array(z.unknown()).length(0) },
  async handle(input) {
    await getDataObject(input)
    return ok([])
  },
})

const figures = { segment: 'revision', type: NodeType.FIGURE_REVISION }
const assets = { segment: 'asset_revision', type: NodeType.ASSET_REVISION }

const routesOf = (revision: Resource) => [
  ...thumbnailRoutes(revision),
  logRoute(revision),
  logItemRoute(revision),
]

/** Data objects have no thumbnail and no log of their own: these routes return those of the revision. */
const asOfRevision = (ofFigure: Endpoint, ofAsset: Endpoint): Endpoint => ({
  ...ofFigure,
  path: ofFigure.path.replace('/revision/', '/data/'),
  operationId: ofFigure.operationId.replace('Revision', 'DataObject'),
  summary: ofFigure.summary.replace('a figure revision', 'the revision of a data object'),
  async handle(input, upload) {
    const { revisionId, revisionType } = await getDataObject(input)
    const own = revisionType === NodeType.ASSET_REVISION ? ofAsset : ofFigure
    return own.handle({ ...input, params: { ...input.params, id: revisionId } }, upload)
  },
})

const ofAssets = routesOf(assets)

/** The routes of core objects, for data objects. */
export const dataRoutes: Endpoint[] = [
  size,
  children,
  dataStorage,
  ...routesOf(figures).map((ofFigure, at) => asOfRevision(ofFigure, required(ofAssets[at]))),
]

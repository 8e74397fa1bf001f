import type { SearchResult } from '@figbase/proto/search'
import { z } from 'zod'
import { assetRevisionInListSchema } from './asset-revision.js'
import {
  shallowAnalysisSchema,
  shallowAssetSchema,
  shallowFigureSchema,
  shallowWorkspaceSchema,
} from './containers.js'
import { figureRevisionInListSchema } from './figure-revision.js'
import { shallowStorySchema } from './story.js'

export const searchResultSchema = z
  .object({
    score: z.number().min(0).max(1),
    object: z.union([
      shallowWorkspaceSchema,
      shallowAnalysisSchema,
      shallowFigureSchema,
      figureRevisionInListSchema,
      shallowAssetSchema,
      assetRevisionInListSchema,
      shallowStorySchema,
    ]),
    highlight: z.record(z.string(), z.array(z.string())),
  })
  .meta({ id: 'SearchResult', description: 'An object that was found.' })

/** `highlight` maps fields to snippets of HTML; it is empty for all types except `keyword`. */
export const searchResultShape = ({ score, highlights }: SearchResult, object: unknown) => ({
  score,
  object,
  highlight: Object.fromEntries(highlights.map(({ field, snippets }) => [field, snippets])),
})

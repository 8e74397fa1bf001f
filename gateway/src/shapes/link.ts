import { type AssetLink, UseType } from '@figbase/proto/revisions'
import { z } from 'zod'
import { uuid } from './common.js'

const useTypeNames: Record<UseType, string> = {
  [UseType.UNSPECIFIED]: 'direct',
  [UseType.DIRECT]: 'direct',
  [UseType.INDIRECT]: 'indirect',
}

export const useTypeValues = ['direct', 'indirect'] as const

export function useTypeOf(word: unknown): UseType | undefined {
  if (word === 'direct') return UseType.DIRECT
  return word === 'indirect' ? UseType.INDIRECT : undefined
}

/** The link of a figure revision to an asset revision, the same on both. */
export const linkSchema = z
  .object({
    figure_revision: uuid,
    asset_revision: uuid,
    use_type: z.enum(useTypeValues),
  })
  .meta({ id: 'AssetLink', description: 'The link of a figure revision to an asset revision.' })

export const linkShape = ({ figureRevisionId, assetRevisionId, useType }: AssetLink) => ({
  figure_revision: figureRevisionId,
  asset_revision: assetRevisionId,
  use_type: useTypeNames[useType],
})

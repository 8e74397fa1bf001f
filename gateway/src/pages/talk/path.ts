import type { NodeType } from '@figbase/proto/catalog'
import { pagePath } from '../kinds.js'

/** The page where a comment on an object is written. */
export const commentPath = (target: { id: string; type: NodeType }): string =>
  `${pagePath(target)}comment/`

import { NodeType } from '@figbase/proto/catalog'

/** The name of a type of core object, for example `figure_revision`. */
export const entityTypeOf = (type: NodeType): string => NodeType[type].toLowerCase()

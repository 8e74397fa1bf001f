import type { Endpoint } from '../../endpoint.js'
import { createReaction } from './create-reaction.js'
import { deleteReaction } from './delete-reaction.js'
import { listReactions } from './list-reactions.js'

export const reactions: Endpoint[] = [listReactions, createReaction, deleteReaction]

import { NodeType } from '@figbase/proto/catalog'
import type { Endpoint } from '../../endpoint.js'
import { deleteNode } from '../container/delete.js'
import { restoreNode } from '../core/restore.js'
import { createStory } from './create-story.js'
import { exports } from './export.js'
import { history } from './history.js'
import { checkStoryVersion, getStory, listStories } from './read-story.js'
import { updateStory } from './update-story.js'

const resource = { segment: 'story', type: NodeType.STORY }

export const stories: Endpoint[] = [
  listStories,
  createStory,
  getStory,
  updateStory('PUT'),
  updateStory('PATCH'),
  deleteNode('story', NodeType.STORY, checkStoryVersion),
  restoreNode(resource, getStory),
  ...history,
  ...exports,
]

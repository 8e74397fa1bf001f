import type { Route } from '../../endpoint.js'
import { notebookPages } from './notebook.js'
import { openNotebook } from './open.js'
import { ownNotebooks } from './own.js'
import { terminatePages } from './terminate.js'
import { workspaceNotebooks } from './workspace.js'

/** The pages of notebooks, where this installation runs them. */
export const computePages: Route[] = [
  ownNotebooks,
  ...workspaceNotebooks,
  ...notebookPages,
  ...terminatePages,
  openNotebook,
]

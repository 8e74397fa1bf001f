import type { Input, Route } from '../../endpoint.js'
import { figurePage } from '../figure.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { resultOf } from '../form-problem.js'
import { idIn } from '../ids.js'
import { kinds, pagePath } from '../kinds.js'
import { stillRightEnd } from './notice.js'

/** A user says that a stale figure is still right. */
export const stillRight: Route = userForm(`/figure/:id/${stillRightEnd}`, submit)

async function submit(input: Input<FormValues>): Promise<FormResult> {
  const { services, call, body } = input
  const { reason = '' } = body
  const figureId = idIn(input)
  const url = pagePath({ id: figureId, type: kinds.figure.type })
  return resultOf(services.catalog.confirmFigure({ figureId, reason }, call), url, (problem) =>
    figurePage({ ...input, url, query: {} }, { reason, problem }),
  )
}

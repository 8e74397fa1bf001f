import type { Client } from '@connectrpc/connect'
import type { Limiter } from '@figbase/kit/limits'
import type { Kit } from '@figbase/kit/service'
import { CatalogService } from '@figbase/proto/catalog'
import { PlansService } from '@figbase/proto/catalog/plans'
import { CommentsService } from '@figbase/proto/comments'
import { SiteService } from '@figbase/proto/identity/site'
import { RevisionsService } from '@figbase/proto/revisions'
import { TasksService } from '@figbase/proto/tasks'
import { type CheckPool, createCheckPool } from './code-editor/check-code.js'
import type { Config } from './config.js'
import type { Database } from './db/schema.js'
import { createPdfMaker, type PdfMaker } from './exports/pdf/pdf.js'
import { createPptxPool, type PptxPool } from './exports/pptx.js'
import { ratePointsMax, rateWindowMs } from './metering/rate.js'
import { openModel } from './model/open-model.js'
import type { Model } from './model/port.js'

/** The dependencies of the handlers. */
export type Ctx = Kit<Database> & {
  cfg: Config
  catalog: Client<typeof CatalogService>
  revisions: Client<typeof RevisionsService>
  pptxPool: PptxPool
  comments: Client<typeof CommentsService>
  checkPool: CheckPool
  plans: Client<typeof PlansService>
  site: Client<typeof SiteService>
  tasksService: Client<typeof TasksService>
  /** Undefined without a provider: AI is off. */
  model: Model | undefined
  aiRate: Limiter
  /** Undefined if this server has no Chromium. */
  pdfMaker: PdfMaker | undefined
}

export const createContext = (kit: Kit<Database>, cfg: Config): Ctx => ({
  ...kit,
  cfg,
  catalog: kit.client(CatalogService),
  revisions: kit.client(RevisionsService),
  pptxPool: createPptxPool(cfg),
  comments: kit.client(CommentsService),
  checkPool: createCheckPool(cfg.ai),
  plans: kit.client(PlansService),
  site: kit.client(SiteService),
  tasksService: kit.client(TasksService),
  model: openModel(cfg.ai, kit.log),
  aiRate: kit.limiter({ name: 'ai-requests', pointsMax: ratePointsMax, windowMs: rateWindowMs }),
  pdfMaker: createPdfMaker(cfg),
})

import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { once } from '@figbase/kit/keyed'
import { UsageService } from '@figbase/proto/ai-usage'
import { CodeEditorService } from '@figbase/proto/code-editor'
import { InsightService } from '@figbase/proto/insight'
import { StoriesService } from '@figbase/proto/stories'
import { StoryWriterService } from '@figbase/proto/story-writer'
import type { Ctx } from './context.js'
import { ask } from './rpc/ask.js'
import { changeDetail } from './rpc/change-detail.js'
import { check } from './rpc/check.js'
import { chooseFigure } from './rpc/choose-figure.js'
import { createStory } from './rpc/create-story.js'
import { describe } from './rpc/describe.js'
import { editCode } from './rpc/edit-code.js'
import { exportStory } from './rpc/export-story.js'
import { extractCode } from './rpc/extract-code.js'
import { findExisting } from './rpc/find-existing.js'
import { generateStory, refineStory } from './rpc/generate-story.js'
import { getStory } from './rpc/get-story.js'
import { getVersion } from './rpc/get-version.js'
import { listContainerUsage } from './rpc/list-container-usage.js'
import { listDatasets } from './rpc/list-datasets.js'
import { listHolderTokens } from './rpc/list-holder-tokens.js'
import { listMonthlyTokens } from './rpc/list-monthly-tokens.js'
import { listOwnStories } from './rpc/list-own-stories.js'
import { listOwnUsage } from './rpc/list-own-usage.js'
import { listSiteUsage } from './rpc/list-site-usage.js'
import { listTelling } from './rpc/list-telling.js'
import { listUsageHistory } from './rpc/list-usage-history.js'
import { listVersions } from './rpc/list-versions.js'
import { readExport } from './rpc/read-export.js'
import { readTexts } from './rpc/read-texts.js'
import { refineSlides } from './rpc/refine-slides.js'
import { restoreCreated } from './rpc/restore-created.js'
import { restoreVersion } from './rpc/restore-version.js'
import { restoreReply, startReply } from './rpc/start-reply.js'
import { updateStory } from './rpc/update-story.js'
import { writeSlide } from './rpc/write-slide.js'

export type Impl = ServiceImpl<typeof StoriesService>

export type InsightImpl = ServiceImpl<typeof InsightService>

export type StoryWriterImpl = ServiceImpl<typeof StoryWriterService>
export type CodeEditorImpl = ServiceImpl<typeof CodeEditorService>
export type UsageImpl = ServiceImpl<typeof UsageService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) => {
  router.service(CodeEditorService, { editCode: editCode(ctx) } satisfies CodeEditorImpl)
  router.service(InsightService, {
    ask: ask(ctx),
    check: check(ctx),
    extractCode: extractCode(ctx),
    listDatasets: listDatasets(ctx),
    describe: describe(ctx),
    chooseFigure: chooseFigure(ctx),
  } satisfies InsightImpl)
  router.service(StoryWriterService, {
    writeSlide: writeSlide(ctx),
    changeDetail: changeDetail(ctx),
    refineSlides: refineSlides(ctx),
    generateStory: generateStory(ctx),
    refineStory: refineStory(ctx),
    startReply: once(ctx, startReply(ctx), restoreReply(ctx)),
  } satisfies StoryWriterImpl)
  router.service(UsageService, {
    listOwnUsage: listOwnUsage(ctx),
    listUsageHistory: listUsageHistory(ctx),
    listContainerUsage: listContainerUsage(ctx),
    listMonthlyTokens: listMonthlyTokens(ctx),
    listHolderTokens: listHolderTokens(ctx),
    listSiteUsage: listSiteUsage(ctx),
  } satisfies UsageImpl)
  router.service(StoriesService, {
    createStory: once(ctx, createStory(ctx), restoreCreated(ctx)),
    getStory: getStory(ctx),
    updateStory: updateStory(ctx),
    listVersions: listVersions(ctx),
    getVersion: getVersion(ctx),
    restoreVersion: restoreVersion(ctx),
    listOwnStories: listOwnStories(ctx),
    listTelling: listTelling(ctx),
    readTexts: readTexts(ctx),
    exportStory: once(ctx, exportStory(ctx)),
    readExport: readExport(ctx),
    findExisting: findExisting(ctx),
  } satisfies Impl)
}

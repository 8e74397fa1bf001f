import { guideIn, testDocuments } from './support/readmes/documents.js'

testDocuments("the operator's guide", guideIn('deploy'))

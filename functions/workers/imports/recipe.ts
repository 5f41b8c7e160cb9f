import { applyChunk } from './apply.ts';
import { carryOver } from './carry-over.ts';
import { closeMissing } from './close.ts';
import { findSince } from './commit-scan.ts';
import { compare } from './compare.ts';
import { keepInventory } from './inventory/keep-inventory.ts';
import { noteLooks } from './last-scans.ts';
import { lookUpChunk } from './lookup.ts';
import { makeBranch } from './make-branch.ts';
import { readReport } from './read-again.ts';
import { recordReport, removeReplaced } from './record.ts';
import { seeAgain } from './see-again.ts';
import { chunkByChunk, recipe } from './slicer.ts';
import { settleStated } from './stated/settle.ts';

/**
 * How a report becomes findings. `phases.ts` has the type of each phase, `slicer.ts` runs the steps. A message that comes again runs all of them
 * again: each goes on where its last write left it, and changes nothing where it had ended.
 */
export const importReport = recipe()
  // Accepted -> Read: the whole report into chunks of entries, unless an earlier import read the same. A report that breaks off changes nothing.
  .step('read', readReport)
  // The branch that a report on a repository is of.
  .step('make branch', makeBranch)
  // Since when findings are new: the retry of a CI job gets the answer of the first.
  .step('find since', findSince)
  // After a release whose readers know problems by something else: the findings that the entries continue.
  .step('carry over', carryOver)
  // Read -> Applied: new findings are created, known ones updated or opened again; the checkpoint is in the transaction of each batch.
  .step('apply', chunkByChunk(lookUpChunk, applyChunk))
  // Findings that an older report closed, while this one waited to be redriven, are open again.
  .step('see again', seeAgain)
  // The statements of a VEX document decide on the findings that they name.
  .step('settle', settleStated)
  // The services and software that the report names on assets, and which tools looked at these.
  .step('keep inventory', keepInventory)
  .step('note looks', noteLooks)
  // Applied -> Closed: findings that the scan proves gone, unless they are so many that a person is to confirm it.
  .step('close', closeMissing)
  // Closed -> Compared: what is new beside the branch with which the report is compared.
  .step('compare', compare)
  // Compared -> Recorded: the task ends, the import is in the history, and the scope goes to the next report.
  .step('record', recordReport)
  .step('remove files', removeReplaced);

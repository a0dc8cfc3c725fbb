// What a field knows of its islands by what they report, as those who ask for it read it. Must not know how reports come.
import { IslandReports } from './island-reports.js';

export abstract class ReportedField {
  protected told = new IslandReports();

  get algorithms() {
    return this.told.algorithms;
  }

  get counts() {
    return this.told.counts;
  }

  get rescued() {
    return this.told.rescued;
  }

  get bests() {
    return this.told.bests;
  }

  get sinceBest() {
    return this.told.sinceBest;
  }

  get hurdles() {
    return this.told.hurdles;
  }

  get mean() {
    return this.told.mean;
  }

  get islands() {
    return this.told.islands;
  }
}

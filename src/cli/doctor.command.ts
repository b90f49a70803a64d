import { Command, CommandRunner } from './support/command';
import { runChecks } from './support/doctor';
import { printAll } from './support/output';

@Command({
  name: 'doctor',
  description: 'check Node.js, settings, disk, PostgreSQL, migrations, clock, Redis, S3 and TLS',
  help: 'Each warning or failure says how to fix it. The exit status is 1 after a failure.',
})
export class DoctorCommand extends CommandRunner {
  async run(): Promise<void> {
    const findings = await runChecks();
    await printAll(findings);
    if (findings.some(({ status }) => status === 'failed')) process.exitCode = 1;
  }
}

// SPDX-License-Identifier: MIT
// No example that has bodies gives a blank picture: at the start, in the middle and at the end what the model draws covers a
// sensible part of the page. A picture of each is left in the folder of the test.
import { join } from 'node:path';
import { check, fileUrl, finish, openBrowser, openPage, run, share, shot } from './harness.mjs';

const examples = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../examples/modelica');
const LEAST = 0.002; // of the picture

// Files, models in packages, and the end of what takes long to simulate. What falls out of sight at the end is told.
const files = [['Billiards'], ['BreakingBridge'], ['BreakingPendulum'], ['CatchingNet', null, 0.4], ['Clockwork', 'Clockwork.Geneva', 2],
  ['CoilSpring', null, 0.02], ['Conveyor'], ['CraneProgram', null, 3], ['Digging', 'Digging.TwoStones', 0.5], ['Docking'], ['Faces', 'Faces.Dominoes'], ['FiveAxisArm'], ['FourBar'],
  ['Granular', 'Granular.Hopper', 0.3], ['Granular', 'Granular.Excavator', 0.3], ['Gripper', null, 0.5], ['GrippingRobot', 'GrippingRobot.S4'],
  ['MagnetConveyor', null, 4], ['NewtonsCradle'], ['PackingCell', null, 3], ['PendulumWithDamper', null, 5], ['Pool'], ['Pusher'], ['RelocatableRobot', null, 20], ['ServoArm'],
  ['SliderCrank'], ['SoftGripper', null, 0.1], ['Thread', 'Thread.NutOnBolt', 0.01], ['TwoStageRocket']];
const classes = [['PendulumOverTable'], ['AllJoints'], ['AllForces'], ['PickAndPlace'], ['WalkingArm'], ['Wheels'], ['Rods'], ['Grains', 0.5], ['GearPair', 0.05]];

const browser = await openBrowser();

async function look(name, model, stop) {
  const file = `${name.replace(/.*[/.]/, '')}.rbj`, page = file.replace('.rbj', '.html');
  run('simulate', ...model, ...(stop ? ['--stop-time', String(stop)] : []), '--output-file', file, '--quiet');
  run('view', file, '--no-open', '--output-file', page);
  const tab = await openPage(browser, fileUrl(page), { width: 640, height: 420 });
  await tab.evaluate(() => document.querySelector('.body').classList.add('wide'));
  await tab.evaluate(() => viewer.resize());
  const seen = [];
  for (const part of [0, 1, 0.5]) {
    await tab.evaluate((f) => viewer.setTime(viewer.run.start + f * (viewer.run.stop - viewer.run.start)), part);
    seen.push(await share(tab));
  }
  console.log(`${name}: ${seen.map((s) => (100 * s).toFixed(1)).join(' ')} % at start, end, middle`);
  check(`${name} is blank: ${seen}`, Math.min(...seen) > LEAST);
  await shot(tab, name.replace(/.*[/.]/, ''));
  await tab.close();
}

try {
  for (const [file, model, stop] of files) await look(model ?? file, [join(examples, `${file}.mo`), ...(model ? [model] : [])], stop);
  for (const [name, stop] of classes) await look(name, [`Rattleback.Examples.${name}`], stop);
} finally {
  await browser.close();
}
finish();
